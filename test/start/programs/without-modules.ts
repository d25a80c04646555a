import { registerHooks } from 'node:module';

/** A process as if the files or packages that ABSENT_MODULES (a pattern) matches weren't installed. */
const absent = new RegExp(process.env.ABSENT_MODULES ?? '^$');
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (!absent.test(specifier)) return nextResolve(specifier, context);
    throw Object.assign(new Error(`Cannot find ${specifier}`), { code: 'ERR_MODULE_NOT_FOUND' });
  },
});
