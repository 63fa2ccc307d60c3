const isPlainObject = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value));
export default isPlainObject;
