// Types of the variables and bindings of the Worker delivery. Written by npm run types from wrangler.toml.
interface __BaseEnv_DeliveryEnv {
	DB: D1Database;
	DELIVERY_SECRET: string;
	LEDGER: DurableObjectNamespace<import("./index").Ledger>;
	FIRST_REPLY: DurableObjectNamespace<import("./index").FirstReply>;
	METER: DurableObjectNamespace<import("./index").Meter>;
	ACCESS: Fetcher /* access */;
	QUEUE: Fetcher /* queue */;
	SMS: Fetcher /* sms */;
	EMAIL: Fetcher /* email */;
	FEED: Fetcher /* feed */;
}
declare namespace Cloudflare {
	interface GlobalProps {
		mainModule: typeof import("./index");
		durableNamespaces: "Ledger" | "FirstReply" | "Meter";
	}
	interface Env extends __BaseEnv_DeliveryEnv {}
}
interface DeliveryEnv extends __BaseEnv_DeliveryEnv {}
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
