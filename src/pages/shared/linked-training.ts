/** The data about a simulation's link that decides whether the link opens the training. */
interface Linked {
  courseId: string | null;
  isCounted: boolean;
  isInactive: boolean;
  modules: readonly string[];
}

/** Reports whether the link of a message opens the training of its simulation. See linked-training-routes.ts. */
export function hasLinkedTraining({ courseId, isCounted, isInactive, modules }: Linked): boolean {
  return courseId !== null && isCounted && !isInactive && modules.includes('smlearn');
}

/** Returns the path at which the link of a message opens its training. */
export function linkedTrainingPath(token: string): string {
  return `/learn/by-message/${token}`;
}
