/** Shows a program and its arguments as one line. Only the engine splits lines into words (`fleet.command_words`). */

/** Words with any other character are quoted. */
const PLAIN = /^[\w@%+=:,./{}~^-]+$/;

export function lineOf(words: readonly string[]): string {
  return words.map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}
