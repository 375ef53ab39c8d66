import { expect, it } from "vitest";
import { auditMarkdown, eventText } from "./audit";

const event = { at: "2026-11-20T10:00:00Z", actor: "ann" };

it("says what happened, in words", () => {
  const said = (more: object) => eventText({ ...event, kind: "field", ...more });
  expect(said({ field: "priority", from: "2", to: "0" })).toBe("changed the priority from P2 to P0");
  expect(said({ field: "estimated_minutes", to: "90" })).toBe("set the estimate to 1 h 30 min");
  expect(said({ field: "labels", to: "a, b" })).toBe("added the label a, b");
  expect(said({ field: "labels", from: "auth" })).toBe("removed the label auth");
  expect(said({ kind: "status", from: "open", to: "in_review" })).toBe("moved it from open to in review");
  expect(said({ kind: "dependency", from: "BC-1" })).toBe("removed the dependency on BC-1");
  expect(said({ kind: "gate_opened", to: "yes" })).toBe("gate opened: yes");
});

it("escapes values in the exported table", () => {
  const events = [{ ...event, kind: "comment", to: "a | b\n# c" }];
  expect(auditMarkdown({ id: "BC-1", events }, "Title")).toContain(
    "| 2026-11-20T10:00:00Z | ann | commented: a \\| b # c |  |",
  );
});
