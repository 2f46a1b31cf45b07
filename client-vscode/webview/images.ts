// Pictures that were pasted or dropped, as messages carry them.
import type { Image } from "../src/protocol";

const TYPES: ReadonlySet<string> = new Set<Image["media_type"]>(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Those among the files, or why one of them can't be sent. Throws nothing. */
export async function imagesOf(files: readonly File[]): Promise<readonly Image[] | string> {
  const unfit = files.find(({ type }) => !TYPES.has(type));
  if (unfit) return `${unfit.name || "What was pasted"} is no image that can be sent. Models take PNG, JPEG, GIF and WebP.`;
  return Promise.all(files.map(async (file) => ({ media_type: file.type as Image["media_type"], data: await base64(file) })));
}

/** As the address of an `img`. */
export function addressOf({ media_type: type, data }: Image): string {
  return `data:${type};base64,${data}`;
}

function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => { resolve((reader.result as string).replace(/^[^,]*,/, "")); };
    reader.onerror = () => { reject(new Error(`${file.name} can't be read`)); };
    reader.readAsDataURL(file);
  });
}
