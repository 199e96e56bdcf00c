// Where the plane of the board lies on the screen.

export const MOST = 110;

export class Camera {
  constructor() {
    this.scale = 42;
    this.x = 0;
    this.y = 0;
    this.width = 1;
    this.height = 1;
  }

  fitScale(bounds, margin = 10) {
    return Math.min(
      (this.width - 2 * margin) / (bounds.right - bounds.left),
      (this.height - 2 * margin) / (bounds.bottom - bounds.top),
    );
  }

  fit(bounds) {
    this.scale = this.fitScale(bounds);
    this.x = (this.width - (bounds.left + bounds.right) * this.scale) / 2;
    this.y = (this.height - (bounds.top + bounds.bottom) * this.scale) / 2;
  }

  /** Zoom so that what lies under a point stays there. */
  zoom(factor, px, py, bounds) {
    const least = this.fitScale(bounds) * 0.9;
    const scale = Math.max(least, Math.min(MOST, this.scale * factor));
    this.x = px - ((px - this.x) * scale) / this.scale;
    this.y = py - ((py - this.y) * scale) / this.scale;
    this.scale = scale;
    this.keep(bounds);
  }

  /** Never lose the board out of sight. */
  keep(bounds) {
    const slack = 0.35;
    const [w, hgt] = [this.width, this.height];
    this.x = Math.min(
      w * (1 - slack) - bounds.left * this.scale,
      Math.max(w * slack - bounds.right * this.scale, this.x),
    );
    this.y = Math.min(
      hgt * (1 - slack) - bounds.top * this.scale,
      Math.max(hgt * slack - bounds.bottom * this.scale, this.y),
    );
  }

  centre(px, py) {
    this.x = this.width / 2 - px * this.scale;
    this.y = this.height / 2 - py * this.scale;
  }
  plane(px, py) {
    return [(px - this.x) / this.scale, (py - this.y) / this.scale];
  }
  screen(hex) {
    return [hex.x * this.scale + this.x, hex.y * this.scale + this.y];
  }
}
