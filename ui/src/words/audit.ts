/** The events of a bead's audit: each in words, and all as a Markdown document. */
import type { AuditEvent, BeadAudit } from "../generated/api";
import { FIELD_NAMES, type FieldName } from "./bead-fields";
import { estimateText } from "./estimate";
import { statusWord } from "./ready";
import { oneLine } from "./text";
import { date } from "./time";

/** What happened, without the actor: `changed the priority from P2 to P1`, `closed it`. */
export function eventText(event: AuditEvent): string {
  const { kind, field } = event;
  const [from, to] = [shown(event.from, field), shown(event.to, field)];
  switch (kind) {
    case "created":
      return "created it";
    case "claimed":
      return "claimed it";
    case "closed":
      return to && to !== "closed" ? `closed it: ${to}` : "closed it";
    case "reopened":
      return "reopened it";
    case "comment":
      return to ? `commented: ${to}` : "commented";
    case "status":
      return `moved it ${from ? `from ${statusWord(from)} ` : ""}to ${statusWord(to || "open")}`;
    case "dependency":
      return to ? `added the dependency on ${to}` : `removed the dependency on ${from}`;
    case "field": {
      if (field === "labels" && (!from || !to)) return to ? `added the label ${to}` : `removed the label ${from}`;
      const name = (FIELD_NAMES[field as FieldName] ?? (field ?? "a field").replaceAll("_", " ")).toLowerCase();
      if (!from && !to) return `changed the ${name}`;
      if (!to) return `cleared the ${name} (${from})`;
      return from ? `changed the ${name} from ${from} to ${to}` : `set the ${name} to ${to}`;
    }
    default:
      return `${oneLine(kind).replaceAll(/[_-]/g, " ")}${to ? `: ${to}` : ""}`;
  }
}

function shown(value: string | undefined, field: string | undefined): string {
  if (value === undefined || value === "") return "";
  if (field === "priority" && /^\d$/.test(value)) return `P${value}`;
  if (field === "estimated_minutes" && /^\d+$/.test(value)) return estimateText(Number(value));
  if (/^\d{4}-\d{2}-\d{2}T/.test(value)) return date(value, Date.now());
  return oneLine(value);
}

/** The audit as a Markdown document. */
export function auditMarkdown({ id, events, note }: BeadAudit, title: string): string {
  const cell = (text: string) => oneLine(text).replaceAll("|", "\\|");
  const rows = events.map((event) => {
    return `| ${event.at} | ${cell(event.actor)} | ${cell(eventText(event))} | ${event.session ?? ""} |`;
  });
  return [
    `# History of ${id}: ${oneLine(title)}`,
    "",
    "| When | Who | What | Session |",
    "| --- | --- | --- | --- |",
    ...rows,
    ...(note === undefined ? [] : ["", note]),
    "",
  ].join("\n");
}
