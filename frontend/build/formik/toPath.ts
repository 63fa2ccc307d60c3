/** Splits a field's name: `people[0].name` has three parts. */
const toPath = (name: string | string[]): string[] =>
  Array.isArray(name) ? name : name.split(/[.[\]]+/).filter(Boolean);
export default toPath;
