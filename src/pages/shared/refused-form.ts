import { RefusedForm } from '../../contract/errors.ts';

/** Returns the operation's result, or the faults of the form that it rejects. */
export async function orFaults<Faults extends object, Result>(
  answer: Promise<Result>,
): Promise<{ answer: Result } | { faults: Faults }> {
  try {
    return { answer: await answer };
  } catch (error) {
    if (error instanceof RefusedForm) return { faults: error.faults as Faults };
    throw error;
  }
}
