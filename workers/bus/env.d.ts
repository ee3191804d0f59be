// Types of the variables and bindings of the Worker bus. Written by npm run types from wrangler.toml.
interface __BaseEnv_BusEnv {
	DB: D1Database;
	BOX_ADMIN_SECRET: string;
	BOX_SECRET_KEY: string;
	SYNCHRONISER: DurableObjectNamespace<import("./index").Synchroniser>;
	METER: DurableObjectNamespace<import("./index").Meter>;
	ACCESS: Fetcher /* access */;
	QUEUE: Fetcher /* queue */;
}
declare namespace Cloudflare {
	interface GlobalProps {
		mainModule: typeof import("./index");
		durableNamespaces: "Synchroniser" | "Meter";
	}
	interface Env extends __BaseEnv_BusEnv {}
}
interface BusEnv extends __BaseEnv_BusEnv {}
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
