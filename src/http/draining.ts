import type { RequestListener, ServerResponse } from 'node:http';

/** A listener whose clients can be told to make new connections. */
export interface Drainable {
  listener: RequestListener;
  /**
   * From now on each answer, those under way included, says that its connection ends: clients and balancers make their
   * next call on another one, which leads to another process.
   */
  beginDraining: () => void;
}

export function drainable(handle: RequestListener): Drainable {
  const open = new Set<ServerResponse>();
  let isDraining = false;
  return {
    listener(req, res) {
      open.add(res);
      res.once('close', () => open.delete(res));
      if (isDraining) closeAfter(res);
      handle(req, res);
    },
    beginDraining() {
      isDraining = true;
      open.forEach(closeAfter);
    },
  };
}

function closeAfter(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}
