import { describe, expect, it } from "vitest";
import { PathCompletion } from "./path-completion.svelte";

const answer = (...paths: string[]) => ({
  folders: paths.map((path) => ({ path, name: path.split("/").at(-1) ?? "", repository: false, beads: false })),
  more: false,
});

describe("path completion", () => {
  it("Tab inserts the highlighted folder, the only one, or the common prefix", async () => {
    const completion = new PathCompletion(async () => answer("~/work/gatehouse", "~/work/gateway"));
    await completion.update("~/work/g");
    expect(completion.completed("~/work/g")).toBe("~/work/gate");
    expect(completion.completed("~/work/gate"), "nothing more is certain").toBeNull();
    completion.move(1);
    completion.move(1);
    expect(completion.completed("~/work/gate")).toBe("~/work/gateway/");
    completion.move(1);
    expect(completion.chosen?.name, "the list goes round").toBe("gatehouse");
    const one = new PathCompletion(async () => answer("/srv/lantern"));
    await one.update("/srv/l");
    expect(one.completed("/srv/l")).toBe("/srv/lantern/");
  });

  it("drops an outdated answer, and offers nothing after a failure", async () => {
    const waiting: ((paths: string[] | null) => void)[] = [];
    const completion = new PathCompletion(
      () =>
        new Promise((give, refuse) =>
          waiting.push((paths) => (paths ? give(answer(...paths)) : refuse(new Error("gone")))),
        ),
    );
    const [first, second] = [completion.update("/a"), completion.update("/ab")];
    waiting[1]?.(["/abc"]);
    waiting[0]?.(["/axe"]);
    await Promise.all([first, second]);
    expect(completion.choices.map(({ name }) => name)).toEqual(["abc"]);
    const third = completion.update("/ab/");
    waiting[2]?.(null);
    await third;
    expect(completion.choices).toEqual([]);
  });
});
