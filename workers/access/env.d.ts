// Types of the variables and bindings of the Worker access. Written by npm run types from wrangler.toml.
interface __BaseEnv_AccessEnv {
	DATABASE: DurableObjectNamespace<import("./index").AccessDatabase>;
	KEY_LIMITER: DurableObjectNamespace<import("./index").KeyLimiter>;
	AUDIT_DAY: DurableObjectNamespace<import("./index").AuditDay>;
	METER: DurableObjectNamespace<import("./index").Meter>;
}
declare namespace Cloudflare {
	interface GlobalProps {
		mainModule: typeof import("./index");
		durableNamespaces: "Meter" | "AccessDatabase" | "KeyLimiter" | "AuditDay";
	}
	interface Env extends __BaseEnv_AccessEnv {}
}
interface AccessEnv extends __BaseEnv_AccessEnv {}
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
