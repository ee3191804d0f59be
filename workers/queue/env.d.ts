// Types of the variables and bindings of the Worker queue. Written by npm run types from wrangler.toml.
interface __BaseEnv_QueueEnv {
	QUEUE_SECRET: string;
	BACKLOG: DurableObjectNamespace<import("./index").Backlog>;
	REGISTRY: DurableObjectNamespace<import("./index").WorkerRegistry>;
	FIRST_REPLY: DurableObjectNamespace<import("./index").FirstReply>;
	METER: DurableObjectNamespace<import("./index").Meter>;
	ACCESS: Fetcher /* access */;
}
declare namespace Cloudflare {
	interface GlobalProps {
		mainModule: typeof import("./index");
		durableNamespaces: "Backlog" | "FirstReply" | "Meter" | "WorkerRegistry";
	}
	interface Env extends __BaseEnv_QueueEnv {}
}
interface QueueEnv extends __BaseEnv_QueueEnv {}
declare module "*.txt" {
	const value: string;
	export default value;
}
declare module "*.html" {
	const value: string;
	export default value;
}
declare module "*.sql" {
	const value: string;
	export default value;
}
declare module "*.bin" {
	const value: ArrayBuffer;
	export default value;
}
declare module "*.wasm" {
	const value: WebAssembly.Module;
	export default value;
}
declare module "*.wasm?module" {
	const value: WebAssembly.Module;
	export default value;
}
