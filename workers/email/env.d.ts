// Types of the variables and bindings of the Worker email. Written by npm run types from wrangler.toml.
interface __BaseEnv_EmailEnv {
	FIRST_REPLY: DurableObjectNamespace<import("./index").FirstReply>;
	METER: DurableObjectNamespace<import("./index").Meter>;
	OUTLET: DurableObjectNamespace<import("./index").SmtpOutlet>;
	ACCESS: Fetcher /* access */;
	MEDIA: Fetcher /* media */;
}
declare namespace Cloudflare {
	interface GlobalProps {
		mainModule: typeof import("./index");
		durableNamespaces: "FirstReply" | "Meter" | "SmtpOutlet";
	}
	interface Env extends __BaseEnv_EmailEnv {}
}
interface EmailEnv extends __BaseEnv_EmailEnv {}
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
