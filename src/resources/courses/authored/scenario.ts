import type { Scene } from './course.ts';

/**
 * A scenario begins with its first scene. Each choice leads to another scene, until a scene has an end. A learner's
 * position is a path: the ids of the choices made since the first scene. If a choice leads back to a scene on the path,
 * the path is cut back to that scene, so it never has more choices than the scenario has scenes.
 */
export interface Position {
  scene: Scene;
  path: readonly string[];
}

/** Follows a path from the first scene. Returns undefined if a choice on the path does not exist. */
export function followPath(scenes: readonly Scene[], path: readonly string[]): Position | undefined {
  const visited: Position[] = [{ scene: scenes[0]!, path: [] }];
  for (const choiceId of path) {
    const before = visited.at(-1)!;
    const to = before.scene.choices.find(({ id }) => id === choiceId)?.to;
    const scene = scenes.find(({ id }) => id === to);
    if (!scene) return undefined;
    const earlier = visited.findIndex((position) => position.scene.id === to);
    if (earlier >= 0) visited.length = earlier + 1;
    else visited.push({ scene, path: [...before.path, choiceId] });
  }
  return visited.at(-1);
}

/** Returns the end that a path reaches; null if it has not reached an end. */
export function findEnd(scenes: readonly Scene[], path: readonly string[]): Scene['end'] {
  return followPath(scenes, path)?.scene.end ?? null;
}

/** Reports scenes that cannot be reached or left, choices that lead nowhere, and missing ends. */
export function judgeScenes(scenes: readonly Scene[], report: (place: string, message: string) => void): void {
  scenes.forEach(({ id, end, choices }, index) => {
    const place = `scenes/${index}`;
    const before = scenes.findIndex((scene) => scene.id === id);
    if (before < index) report(`${place}/id`, `scene ${before} has the same id, ${id}`);
    if (end === null && choices.length === 0) report(place, `is a dead end: add choices or an end to ${id}`);
    if (end !== null && choices.length > 0) report(place, `has both choices and an end; remove one from ${id}`);
    choices.forEach((choice, choiceIndex) => {
      const choicePlace = `${place}/choices/${choiceIndex}`;
      if (choices.findIndex((other) => other.id === choice.id) < choiceIndex)
        report(`${choicePlace}/id`, `another choice of ${id} has the same id, ${choice.id}`);
      if (!scenes.some((scene) => scene.id === choice.to))
        report(`${choicePlace}/to`, `no scene has the id ${choice.to}`);
    });
  });
  const reached = findReachable(scenes, scenes[0]!.id);
  scenes.forEach((scene, index) => {
    if (!reached.has(scene.id)) report(`scenes/${index}`, `no choice leads to ${scene.id}`);
    else if (isLoop(scenes, scene)) report(`scenes/${index}`, `no path from ${scene.id} leads to an end`);
  });
  for (const end of ['good', 'bad'] as const) {
    if (!scenes.some((scene) => scene.end === end)) report('scenes', `must have a ${end} end`);
  }
}

/** Reports whether a scene has choices whose paths all lead to scenes without an end. */
function isLoop(scenes: readonly Scene[], scene: Scene): boolean {
  if (scene.end !== null || scene.choices.length === 0) return false;
  const reachable = findReachable(scenes, scene.id);
  return !scenes.some(({ id, end, choices }) => reachable.has(id) && (end !== null || choices.length === 0));
}

/** Returns the ids of a scene and of all scenes that its choices lead to. */
function findReachable(scenes: readonly Scene[], firstId: string): ReadonlySet<string> {
  const ids = new Set([firstId]);
  // The loop also visits the ids that it adds.
  for (const id of ids) {
    for (const { to } of scenes.find((scene) => scene.id === id)?.choices ?? []) ids.add(to);
  }
  return ids;
}
