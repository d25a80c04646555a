import { runService } from './running-service.ts';

/** A service in a process of its own, for a test that kills it: `node serve-folder.ts <folder>`. */
const { url } = await runService({ folder: process.argv[2] ?? '' });
process.send?.(url);
