// Two soft tones, made here: no file is needed. And the browser's own notice.

let context = null;

function tone(at, pitch) {
  const source = context.createOscillator();
  const volume = context.createGain();
  source.type = "sine";
  source.frequency.value = pitch;
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(0.18, at + 0.03);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.5);
  source.connect(volume).connect(context.destination);
  source.start(at);
  source.stop(at + 0.55);
}

/** A browser lets a page sound once someone has pressed something on it. */
export function chime() {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  tone(context.currentTime, 659);
  tone(context.currentTime + 0.18, 880);
  document.body.dataset.chimed = String(Number(document.body.dataset.chimed ?? 0) + 1);
}

/** Whether the browser shows notices of this page; asks where it has not been asked. */
export async function mayNotice() {
  if (!("Notification" in window)) return false;
  if (Notification.permission === "default") await Notification.requestPermission();
  return Notification.permission === "granted";
}

export function notice(title, text) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const shown = new Notification(title, { body: text, tag: location.pathname });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Some phones show notices of installed pages only; title and sound are left.
  }
}
