// Types of the variables and bindings of the Worker sms. Written by npm run types from wrangler.toml.
interface __BaseEnv_SmsEnv {
	DB: D1Database;
	FIRST_REPLY: DurableObjectNamespace<import("./index").FirstReply>;
	METER: DurableObjectNamespace<import("./index").Meter>;
	PROVIDER_CIRCUIT: DurableObjectNamespace<import("./index").ProviderCircuit>;
	ACCESS: Fetcher /* access */;
}
declare namespace Cloudflare {
	interface GlobalProps {
		mainModule: typeof import("./index");
		durableNamespaces: "FirstReply" | "Meter" | "ProviderCircuit";
	}
	interface Env extends __BaseEnv_SmsEnv {}
}
interface SmsEnv extends __BaseEnv_SmsEnv {}
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
