/** Copies an array, or an object of named values. */
const clone = (value: object): object => (Array.isArray(value) ? [...value] : { ...value });
export default clone;
