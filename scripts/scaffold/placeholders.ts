/** Texts of a new operation. `make check` rejects a contract that still has one. */
export const placeholders = {
  summary: 'Say in three words what it does',
  description: 'Say what it does, for whom, in which order, and what it refuses.',
  response: 'Say what it answers.',
  envelope: 'Say what the answer is of.',
  answer: 'Say what it is after the call.',
};
