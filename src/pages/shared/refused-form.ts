import { RefusedForm } from '../../contract/errors.ts';

/** What an operation answers, or what it refuses of the form that was sent. */
export async function orFaults<Faults extends object, Answer>(
  answer: Promise<Answer>,
): Promise<{ answer: Answer } | { faults: Faults }> {
  try {
    return { answer: await answer };
  } catch (error) {
    if (error instanceof RefusedForm) return { faults: error.faults as Faults };
    throw error;
  }
}
