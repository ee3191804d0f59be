/**
 * Returns a service binding to a class that this same Worker exports. It is taken from `ctx.exports`: a binding in
 * `wrangler.toml` would refer to a Worker that does not exist at the first deployment. The cast is needed since the
 * generated types do not know which Worker this is.
 */
export const ownService = <T extends Rpc.WorkerEntrypointBranded>(ctx: object, name: string): Service<T> =>
  (ctx as { exports: Record<string, Service<T>> }).exports[name]!
