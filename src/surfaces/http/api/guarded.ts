/** Loaded with the first question about routing, not with the server. */
export { isGuarded, routingDefaults } from "../../../routing/index.ts";
