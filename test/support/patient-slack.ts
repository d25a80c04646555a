// With Node's option `--import`, lets the emulated Slack of a program wait as long as those of tests.
import { stretchDeadlines } from './busyness.ts';

stretchDeadlines();
