// Loaded before each program that reads settings (`node --require`). Reads `.env` from the current folder. Unlike Node's
// --env-file-if-exists, it prints nothing if there is no such file.
if (require('node:fs').existsSync('.env')) process.loadEnvFile('.env');
