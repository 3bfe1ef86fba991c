/** GET /api/reviews: reviews with their clusters. Empty until reviews are kept. */
import type { ApiContext, App } from "./context.ts";
import type { ReviewsAnswer } from "./reviews-shape.ts";

export const addReviews = (app: App, api: ApiContext): void => {
  app.get("/api/reviews", async (context) => context.json(await reviews(api)));
};

const reviews = async (_api: ApiContext): Promise<ReviewsAnswer> => ({
  reviews: [],
  canDecide: false,
});
