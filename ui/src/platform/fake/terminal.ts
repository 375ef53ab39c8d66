/** A terminal that draws a simulated Claude and echoes its input. */
import type { TerminalEvent, TerminalStream } from "../host";

const DIM = "\x1b[90m";
const OFF = "\x1b[0m";
const BOLD = "\x1b[1m";
const DOT = (colour: number) => `\x1b[${colour}m●${OFF}`;
const WIDE = 60;

const SCREEN = [
  `\x1b[90m╭${"─".repeat(46)}╮${OFF}`,
  `${DIM}│${OFF} \x1b[33m✻${OFF} ${BOLD}Claude Code${OFF} ${DIM}v2.1.329${" ".repeat(23)}│${OFF}`,
  `${DIM}│   Opus 4.8, worktree gatehouse/feat/BC-097   │${OFF}`,
  `\x1b[90m╰${"─".repeat(46)}╯${OFF}`,
  "",
  `${DIM}❯${OFF} Validate email and password before the store is touched.`,
  "  Same error for an unknown account and a wrong password.",
  "",
  "● I will put validation in front of the lookup, then level",
  "  the timing.",
  "",
  `${DOT(32)} ${BOLD}Read${OFF}(src/auth/login.rs)`,
  `${DIM}  └ 212 lines${OFF}`,
  `${DOT(31)} ${BOLD}Bash${OFF}(cargo test -p gatehouse-auth)`,
  `  └ \x1b[31merror[E0308]: expected \`&str\`, found \`SecretString\`${OFF}`,
  `${DOT(32)} ${BOLD}Bash${OFF}(cargo test -p gatehouse-auth)`,
  `${DIM}  └ test result: ${OFF}\x1b[32mok${DIM}. 42 passed; see https://example.org/run/42${OFF}`,
  "",
  "● All 42 tests pass. Both refusals now take about 210 ms.",
  "",
  `\x1b[34m╭${"─".repeat(WIDE - 2)}╮`,
  `│ ${BOLD}Bash command${OFF}\x1b[34m${" ".repeat(WIDE - 15)}│`,
  `│${" ".repeat(WIDE - 2)}│`,
  `│${OFF}   git push --set-upstream origin feat/BC-097-login\x1b[34m${" ".repeat(WIDE - 53)}│`,
  `│${" ".repeat(WIDE - 2)}│`,
  `│${OFF} Do you want to proceed?\x1b[34m${" ".repeat(WIDE - 26)}│`,
  `│ ❯ 1. Yes${" ".repeat(WIDE - 11)}│`,
  `│${OFF}   2. Yes, and don't ask again for ${BOLD}git push${OFF}\x1b[34m${" ".repeat(WIDE - 45)}│`,
  `│${OFF}   3. No, and tell Claude what to do differently\x1b[34m${" ".repeat(WIDE - 50)}│`,
  `╰${"─".repeat(WIDE - 2)}╯${OFF}`,
  "❯ ",
].join("\r\n");

/** `options`: `terminal` is `lost`, `ended` or `copy`. */
export function fakeTerminal(options: URLSearchParams): TerminalStream {
  const handlers = new Set<(event: TerminalEvent) => void>();
  let offset = 0;
  let size = { cols: 80, rows: 24 };
  let shown = true;
  let drawn = false;
  const tell = (event: TerminalEvent) => handlers.forEach((handler) => handler(event));
  const say = (text: string) => {
    const bytes = new TextEncoder().encode(text);
    tell({ type: "bytes", bytes, offset });
    offset += bytes.length;
  };
  const screen = () => {
    // The screen contains an old query, whose answer must never be sent as input.
    const bytes = new TextEncoder().encode(`${SCREEN}\x1b[c`);
    drawn = true;
    tell({ type: "screen", bytes, offset, ...size });
    offset += bytes.length;
    const way = options.get("terminal");
    if (way === "lost") tell({ type: "lost" });
    if (way === "ended") tell({ type: "ended" });
    if (way === "copy") say(`\x1b]52;c;${btoa("git push --set-upstream origin feat/BC-097-login")}\x07`);
  };
  return {
    subscribe(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    input: (bytes) => say(new TextDecoder().decode(bytes).replaceAll("\r", "\r\n❯ ").replaceAll("\x7f", "\b \b")),
    resize: (cols, rows) => {
      size = { cols, rows };
      if (!drawn && shown) queueMicrotask(screen);
      else tell({ type: "size", cols, rows });
    },
    ack: () => {},
    visible: (visible) => {
      const again = visible && !shown && drawn;
      shown = visible;
      if (again) queueMicrotask(screen);
    },
    close: () => handlers.clear(),
  };
}
