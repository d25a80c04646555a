import { runService } from './running-service.ts';

// Runs a service in a separate process, which a test kills: `node serve-folder.ts <folder>`.
const { url } = await runService({ folder: process.argv[2] ?? '' });
process.send?.(url);
