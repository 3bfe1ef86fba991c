/**
 * What a returned write has survived. All three leave the old or the new content after a kill.
 * required: file and folder synced; after a power cut the new content is there.
 * normal: file synced, folder not; a power cut may bring the old content back, never a torn one.
 * cache: nothing synced; a power cut may leave the old, the new, an empty or no file.
 */
export type Durability = "required" | "normal" | "cache";
