/** The page's own addresses: `#/refusals?seq=12`. Nothing secret is ever in them. */
import { useEffect, useState } from "preact/hooks";

export interface Route {
  readonly page: string;
  readonly parameters: URLSearchParams;
}

export const readRoute = (): Route => {
  const [path = "", search = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  return { page: path || "now", parameters: new URLSearchParams(search) };
};

export const useRoute = (): Route => {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const look = () => setRoute(readRoute());
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  return route;
};

/** Without a new entry in the history: scrubbing would leave hundreds. */
export const noteParameter = (name: string, value: string | undefined): void => {
  const { page, parameters } = readRoute();
  if (value === undefined) parameters.delete(name);
  else parameters.set(name, value);
  const search = parameters.toString();
  history.replaceState(null, "", `#/${page}${search && `?${search}`}`);
};
