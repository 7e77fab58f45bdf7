// Figures as text for people: three digits, and the unit that fits.

export function number(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-3)) return value.toExponential(2);
  return value.toLocaleString("en", { maximumSignificantDigits: Math.max(3, Math.ceil(Math.log10(size + 1))) });
}

/** "1 triangle", "2,000 triangles". */
export const counted = (value: number, noun: string) => `${count(value)} ${noun}${value === 1 ? "" : "s"}`;

type Units = readonly (readonly [size: number, name: string])[];

/** The largest unit of which there is at least one, otherwise the smallest. */
function unitOf(value: number, units: Units): Units[number] {
  return units.find(([size]) => Math.abs(value) >= size * 0.9995) ?? units[units.length - 1] ?? [1, ""];
}

function inUnits(value: number, units: Units): string {
  const [size, name] = unitOf(value, units);
  return `${number(value / size)} ${name}`;
}

export const count = (value: number) => value.toLocaleString("en");
export const cubicMetres = (value: number) => inUnits(value, [[1, "m³"], [1e-3, "l"], [1e-6, "cm³"], [1e-9, "mm³"]]);
export const kilograms = (value: number) => inUnits(value, [[1e3, "t"], [1, "kg"], [1e-3, "g"], [1e-6, "mg"]]);
const LENGTHS: Units = [[1e3, "km"], [1, "m"], [1e-2, "cm"], [1e-3, "mm"]];
export const metres = (value: number) => inUnits(value, LENGTHS);
/** All in the unit of the largest. */
export function sides(values: readonly number[]): string {
  const [size, name] = unitOf(Math.max(...values), LENGTHS);
  return `${values.map((value) => number(value / size)).join(" × ")} ${name}`;
}
export const pascals = (value: number) => inUnits(value, [[1e6, "MPa"], [1e3, "kPa"]]);
export const degrees = (value: number) => `${value.toFixed(1)}°`;
