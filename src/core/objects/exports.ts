/**
 * A class that the Worker's own main module exports, as a service: what a binding of a Worker to itself would be, which
 * the first deployment of that Worker could not make. The generated types know one main module, of whichever Worker.
 */
export const ownService = <T extends Rpc.WorkerEntrypointBranded>(ctx: object, name: string): Service<T> =>
  (ctx as { exports: Record<string, Service<T>> }).exports[name]!
