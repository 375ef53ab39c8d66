/** A program and its arguments as one line that a person can read and write, and back. Pure. */

/** Words with anything but these are put between quotes. */
const PLAIN = /^[\w@%+=:,./{}~^-]+$/;

export function lineOf(words: readonly string[]): string {
  return words.map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}

/** The words of a line: quotes hold them together, a backslash takes what follows as it is. Null where a quote stays open. */
export function wordsOf(line: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    if (quote === "'") {
      if (char === "'") quote = null;
      else word = (word ?? "") + char;
    } else if (char === "\\" && i + 1 < line.length) {
      word = (word ?? "") + line.charAt(++i);
    } else if (quote === '"') {
      if (char === '"') quote = null;
      else word = (word ?? "") + char;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= "";
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? "") + char;
    }
  }
  if (quote !== null) return null;
  if (word !== null) words.push(word);
  return words;
}
