/** Claude's questions and the user's draft answers. Pure. */
import type { PermissionRequest, QuestionAnswer } from "../generated/api";

export interface Question {
  question: string;
  header: string;
  multiple: boolean;
  options: readonly { label: string; description: string }[];
}

/** The draft answer to one question; `own` is the text of `Other` and counts only while `other` is selected. */
export interface Draft {
  chosen: readonly string[];
  other: boolean;
  own: string;
}

export const NO_DRAFT: Draft = { chosen: [], other: false, own: "" };

/** The questions that can be answered; empty if there are none. The rules are those of `bc_core::question`. */
export function questionsOf(request: PermissionRequest): Question[] {
  const all = allQuestions(request);
  return all.filter(
    ({ question }, i) => question !== "" && all.findIndex((other) => other.question === question) === i,
  );
}

/** The questions of a request, also those without a text and repeated ones. */
export function allQuestions(request: PermissionRequest): Question[] {
  if (request.tool !== "AskUserQuestion") return [];
  const given = (request.input as { questions?: unknown } | null)?.questions;
  return (Array.isArray(given) ? (given as (Record<string, unknown> | null)[]) : []).map((one) => {
    const options = Array.isArray(one?.["options"]) ? (one["options"] as (Record<string, unknown> | null)[]) : [];
    return {
      question: text(one?.["question"]),
      header: text(one?.["header"]),
      multiple: one?.["multiSelect"] === true,
      options: options
        .map((option) => ({ label: text(option?.["label"]), description: text(option?.["description"]) }))
        .filter((option) => option.label !== ""),
    };
  });
}

/** The most options that fit a row, and the longest label, in characters. */
const MAX_OPTIONS = 4;
const MAX_LABEL = 28;

/** The options of a request with one question that a row can show; empty for every other request. */
export function shortChoices(request: PermissionRequest | null | undefined): string[] {
  const [question, more] = request ? questionsOf(request) : [];
  if (!question || more || question.multiple || question.options.length > MAX_OPTIONS) return [];
  const labels = question.options.map(({ label }) => label);
  return labels.every((label) => label.length <= MAX_LABEL) ? labels : [];
}

/** The draft after an option is chosen or, if several can be chosen, toggled. */
export function choose(question: Question, draft: Draft, label: string): Draft {
  if (!question.multiple) return { ...draft, chosen: [label], other: false };
  const chosen = draft.chosen.includes(label)
    ? draft.chosen.filter((other) => other !== label)
    : [...draft.chosen, label];
  return { ...draft, chosen };
}

/** The draft after `Other` is selected, or deselected if `other` is false. */
export function chooseOther(question: Question, draft: Draft, other = true): Draft {
  return { ...draft, other, chosen: question.multiple ? draft.chosen : [] };
}

/** One answer per question; null until all questions have one. */
export function answersOf(
  questions: readonly Question[],
  drafts: Readonly<Record<string, Draft>>,
): QuestionAnswer[] | null {
  const answers: QuestionAnswer[] = [];
  for (const { question, options } of questions) {
    const draft = drafts[question] ?? NO_DRAFT;
    const own = draft.own.trim();
    if (draft.other && own === "") return null;
    // Options keep their order, whatever the order in which they were chosen.
    const chosen = options.map((option) => option.label).filter((label) => draft.chosen.includes(label));
    if (draft.other) chosen.push(own);
    if (chosen.length === 0) return null;
    answers.push({ question, chosen });
  }
  return answers.length > 0 ? answers : null;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
