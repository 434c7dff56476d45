// Draws the board report in a thread, because text layout would block the event loop for too long.
import { parentPort, workerData } from 'node:worker_threads';
import type { BoardFigures } from './board-figures.ts';
import { printBoardReport } from './board-pdf.ts';

parentPort!.postMessage(new Uint8Array(await printBoardReport(workerData as BoardFigures)));
