const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text has the shape of the service's ids: any other is nobody's, and not for the database to judge. */
export function isId(text: string): boolean {
  return ID.test(text);
}
