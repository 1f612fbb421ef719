/** Follows a JSON pointer (RFC 6901). */
export function lookUp(value: unknown, pointer: string): { present: boolean; value?: unknown } {
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    const isIndex = /^(0|[1-9][0-9]*)$/.test(name);
    if (typeof value !== "object" || value === null || (Array.isArray(value) && !isIndex)) return { present: false };
    if (!Object.hasOwn(value, name)) return { present: false };
    value = value[name as keyof typeof value];
  }
  return value === undefined ? { present: false } : { present: true, value };
}
