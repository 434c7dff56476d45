/** Placeholders in a new operation. `make check` rejects a contract that still has one. */
export const placeholders = {
  summary: 'Say in three words what it does',
  description: 'Say what it does, for whom, in which order, and what it rejects.',
  response: 'Say what it returns.',
  envelope: 'Say what the response contains.',
  answer: 'Say what the object is after the call.',
};
