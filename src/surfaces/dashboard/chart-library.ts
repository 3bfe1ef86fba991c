/** On its own, so that it comes with the first chart and not before. */
export { default as uPlot } from "uplot";
