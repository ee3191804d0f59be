// Types of the variables and bindings of the Worker badge. Written by npm run types from wrangler.toml.
interface __BaseEnv_BadgeEnv {
	DB: D1Database;
	FIRST_REPLY: DurableObjectNamespace<import("./index").FirstReply>;
	METER: DurableObjectNamespace<import("./index").Meter>;
	ACCESS: Fetcher /* access */;
}
declare namespace Cloudflare {
	interface GlobalProps {
		mainModule: typeof import("./index");
		durableNamespaces: "Meter" | "FirstReply";
	}
	interface Env extends __BaseEnv_BadgeEnv {}
}
interface BadgeEnv extends __BaseEnv_BadgeEnv {}
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
