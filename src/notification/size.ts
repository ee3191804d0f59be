/** How many bytes a value has as JSON. */
export const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length
