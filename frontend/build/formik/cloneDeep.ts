const cloneDeep = <Value>(value: Value): Value => structuredClone(value);
export default cloneDeep;
