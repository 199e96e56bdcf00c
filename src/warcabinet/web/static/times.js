// When something was, as people say it.

const day = (d) => Math.floor((d.getTime() - d.getTimezoneOffset() * 60000) / 86400000);
export const clock = (d) => d.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** 20:51, yesterday 20:51, Tuesday, 4 March, March 1999. */
export function ago(seconds, now = new Date()) {
  const then = new Date(seconds * 1000);
  const days = day(now) - day(then);
  if (days <= 0) return clock(then);
  if (days === 1) return `yesterday ${clock(then)}`;
  if (days < 7) return then.toLocaleDateString("en", { weekday: "long" });
  if (days < 300) return then.toLocaleDateString("en", { day: "numeric", month: "long" });
  return then.toLocaleDateString("en", { month: "long", year: "numeric" });
}

/** How many days something lasts already; empty for less than two. */
export function lasts(seconds, now = new Date()) {
  const days = day(now) - day(new Date(seconds * 1000));
  return days >= 2 ? `${days} days` : "";
}
