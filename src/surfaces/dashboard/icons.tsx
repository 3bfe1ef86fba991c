/** Lines on a 24 by 24 grid, in the colour of the text around them. */
const paths = {
  now: "M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18",
  timeline: "M4 6v12M20 6v12M4 12h16M9 9v6M14.5 9v6",
  refusals: "M5.6 5.6l12.8 12.8M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18",
  reviews: "M4 5h16v11H9l-5 4zM8 9h8M8 12h5",
  routing: "M5 4v6a4 4 0 0 0 4 4h10M15 10l4 4-4 4M5 14v6",
  runs: "M7 4l12 8-12 8z",
  profile: "M4 20V10M10 20V4M16 20v-7M21 20H3",
  health: "M3 12h4l3-7 4 14 3-7h4",
  folder: "M3 6h6l2 2h10v11H3z",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  symbol:
    "M9 4c-3 0-3 2-3 4s0 3-2 4c2 1 2 2 2 4s0 4 3 4M15 4c3 0 3 2 3 4s0 3 2 4c-2 1-2 2-2 4s0 4-3 4",
  pattern: "M12 4v16M5 8l14 8M19 8L5 16",
  resource: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
  group: "M4 7h16M4 12h16M4 17h10",
  chevron: "M9 6l6 6-6 6",
  sun: "M12 4V2M12 22v-2M4 12H2M22 12h-2M5.6 5.6L4.2 4.2M19.8 19.8l-1.4-1.4M18.4 5.6l1.4-1.4M4.2 19.8l1.4-1.4M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500",
  system: "M3 5h18v11H3zM9 20h6M12 16v4",
  check: "M5 12.5l4.500 4.500L19 7.500",
  warning: "M12 4l9 16H3zM12 10v4M12 17v.5",
  close: "M6 6l12 12M18 6L6 18",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l5 5",
  write: "M4 20l1-5L16 4l4 4L9 19zM13.5 6.5l4 4",
  fold: "M7 20l5-5 5 5M7 4l5 5 5-5",
  unfold: "M7 15l5 5 5-5M7 9l5-5 5 5",
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);
