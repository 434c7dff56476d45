import { parentPort, workerData } from 'node:worker_threads';
import { type CourseFile, readOwnCourse } from './own-course-files.ts';

const { courseId, files } = workerData as { courseId: string; files: CourseFile[] };
parentPort!.postMessage(readOwnCourse(courseId, files));
