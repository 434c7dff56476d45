const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text looks like an id of this service. Others are answered with 404 before the database sees them. */
export function isId(text: string): boolean {
  return ID.test(text);
}
