export interface NewOperation {
  operationId: string;
  method: string;
  path: string;
  /** The first word of its path, which names its file in api/ and its folder in src/resources/. */
  resource: string;
  /** The first word of the files in that folder. */
  singular: string;
  pathIds: string[];
}

/** `archiveGroup` -> `ArchiveGroup` */
export function capitalised(name: string): string {
  return name[0]!.toUpperCase() + name.slice(1);
}

/** `archiveGroup` -> `archive-group` */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `archiveGroup` -> `archive_group` */
export function snake(name: string): string {
  return kebab(name).replaceAll('-', '_');
}
