// Draws the report for the board in a thread, because laying out text takes longer than the event loop can wait.
import { parentPort, workerData } from 'node:worker_threads';
import type { BoardFigures } from './board-figures.ts';
import { printBoardReport } from './board-pdf.ts';

parentPort!.postMessage(new Uint8Array(await printBoardReport(workerData as BoardFigures)));
