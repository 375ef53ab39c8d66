/** The formats of durations and dates. Pure: the caller passes the current time. */

/** `8m`, `1h 12m`, `3d 4h`; less than a minute is `0m`, with `seconds` it is `24 s`. */
export function duration(ms: number, seconds = false): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  if (seconds && whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}h ${pad(minutes % 60)}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** The duration of a tool call or a reply: `0.4 s`, `14.2 s`, `1m 06s`. */
export function elapsed(ms: number): string {
  const tenths = Math.round(ms / 100) / 10;
  if (tenths < 60) return `${tenths.toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)}m ${pad(whole % 60)}s`;
}

/** The duration of a short run: `412 ms`, `1.8 s`, `30 s`, `2m`. */
export function runTime(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return ms < 9_950 ? `${(ms / 1000).toFixed(1)} s` : duration(ms, true);
}

/** A time limit: `30 s`, `2 min`. */
export function timeLimit(seconds: number): string {
  return seconds >= 60 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

/** A running duration: `12 s`, `1m 06s`, `1h 02m`. */
export function elapsedWhole(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${pad(whole % 60)}s`;
  return duration(ms);
}

/** A period in words: `less than a minute`, `18 minutes`, `2 hours`, `2h 05m`, `3 days`. */
export function span(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return "less than a minute";
  if (minutes < 60) return minutes === 1 ? "a minute" : `${minutes} minutes`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) {
    const rest = minutes % 60;
    const whole = hours === 1 ? "an hour" : `${hours} hours`;
    return rest === 0 ? whole : `${hours}h ${pad(rest)}m`;
  }
  const days = Math.round(hours / 24);
  return days === 1 ? "a day" : `${days} days`;
}

/** `09:26` on the day of `now`, else `Yesterday 09:26` or `Monday 16 November 09:26`. */
export function moment(then: string, now: number): string {
  const named = day(then, now);
  return named === "Today" || named === "" ? clock(then) : `${named} ${clock(then)}`;
}

/** `just now`, `24 s ago`, `5m ago`, `3h ago`, else the date. */
export function ago(then: string, now: number): string {
  const ms = now - Date.parse(then);
  if (Number.isNaN(ms)) return "";
  if (ms < 5_000) return "just now";
  if (ms < 60_000) return `${Math.floor(ms / 1000)} s ago`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)}m ago`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)}h ago`;
  return date(then, now);
}

/** `08:54`. */
export function clock(moment: string): string {
  const at = new Date(moment);
  return Number.isNaN(at.getTime()) ? "" : `${pad(at.getHours())}:${pad(at.getMinutes())}`;
}

const DAY = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" });
const DAY_AND_YEAR = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });

/** `Today`, `Yesterday`, `Monday 16 November`, `3 March 2024`. */
export function day(moment: string, now: number): string {
  const at = new Date(moment);
  if (Number.isNaN(at.getTime())) return "";
  const days = Math.round((midnight(new Date(now)) - midnight(at)) / 86_400_000);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  return days < 180 ? DAY.format(at).replace(",", "") : DAY_AND_YEAR.format(at);
}

/** `14 Nov` or `14 Nov 2024`. */
export function date(moment: string, now: number): string {
  const at = new Date(moment);
  if (Number.isNaN(at.getTime())) return "";
  const year = at.getFullYear() === new Date(now).getFullYear() ? {} : ({ year: "numeric" } as const);
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", ...year }).format(at);
}

/** `today`, `in 12 days`, `3 days ago`. */
export function inDays(moment: string, now: number): string {
  const at = new Date(moment);
  if (Number.isNaN(at.getTime())) return "";
  const days = Math.round((midnight(at) - midnight(new Date(now))) / 86_400_000);
  if (days === 0) return "today";
  const count = Math.abs(days) === 1 ? "1 day" : `${Math.abs(days)} days`;
  return days > 0 ? `in ${count}` : `${count} ago`;
}

const WEEKDAY = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });

/** `Fri 20 Nov` for `2026-11-20`. */
export function weekday(date: string): string {
  const at = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(at.getTime()) ? date : WEEKDAY.format(at).replace(",", "");
}

/** The start of a local day, such as `2026-11-20`, or of the day `later` days after it; null for other texts. */
export function dayStart(day: string, later = 0): Date | null {
  const [, year, month, date] = /^(\d{4,6})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  return year === undefined ? null : new Date(Number(year), Number(month) - 1, Number(date) + later);
}

/** `2026-11-20` in local time, for file names. */
export function dayStamp(now: number): string {
  const at = new Date(now);
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}

/** `2026-11-20T09:26`, the value of a datetime field. */
export function localMinute(then: number): string {
  const at = new Date(then);
  return Number.isNaN(then) ? "" : `${dayStamp(then)}T${pad(at.getHours())}:${pad(at.getMinutes())}`;
}

function midnight(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}

function pad(n: number): string {
  return String(n).padStart(2, "0");
}
