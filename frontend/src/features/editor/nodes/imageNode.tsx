/**
 * An image on a line of its own. Its data is validated on every way in: HTML, JSON and commands.
 */
import {
  $create,
  $getState,
  $setState,
  createState,
  DecoratorNode,
  type DOMExportOutput,
  type LexicalEditor,
  type LexicalNode,
} from "lexical";
import type { ReactElement } from "react";
import type { HtmlBlock } from "../html/exportHtml";
import { type ImageData, wholeNumber, writeImage } from "../html/media";
import { parseImageUrl } from "../html/urls";
import { elementFrom } from "./elementFrom";
import { ImageBlock } from "./ImageBlock";

const srcState = createState("src", {
  parse: (value) => (typeof value === "string" ? (parseImageUrl(value) ?? "") : ""),
});
const altState = createState("alt", {
  parse: (value) => (typeof value === "string" ? value : ""),
});
const widthState = createState("width", { parse: wholeNumber });
const heightState = createState("height", { parse: wholeNumber });

/** The image block. */
export class ImageNode extends DecoratorNode<ReactElement> implements HtmlBlock {
  override $config() {
    return this.config("image", {
      extends: DecoratorNode,
      stateConfigs: [srcState, altState, widthState, heightState].map((stateConfig) => ({
        flat: true,
        stateConfig,
      })),
    });
  }

  $getImage(): ImageData {
    return {
      src: $getState(this, srcState),
      alt: $getState(this, altState),
      width: $getState(this, widthState),
      height: $getState(this, heightState),
    };
  }

  /** Replaces the address, for example after an upload. */
  $setSource(src: string): void {
    $setState(this, srcState, src);
  }

  $exportHtmlBlock(): string {
    return writeImage(this.$getImage());
  }

  override createDOM(): HTMLElement {
    return document.createElement("figure");
  }

  override updateDOM(): false {
    return false;
  }

  override exportDOM(): DOMExportOutput {
    return { element: elementFrom(this.$exportHtmlBlock()) };
  }

  override isInline(): false {
    return false;
  }

  override decorate(editor: LexicalEditor): ReactElement {
    return (
      <ImageBlock
        nodeKey={this.getKey()}
        image={this.$getImage()}
        onDescribe={(alt) => editor.update(() => void $setState(this, altState, alt))}
      />
    );
  }
}

/** Creates an image block from data that `readImage` or an upload returned. */
export function $createImageNode({ src, alt, width, height }: ImageData): ImageNode {
  const node = $create(ImageNode);
  $setState(node, srcState, src);
  $setState(node, altState, alt);
  $setState(node, widthState, width);
  $setState(node, heightState, height);
  return node;
}

/** Whether a node is an image block. */
export function $isImageNode(node: LexicalNode | null | undefined): node is ImageNode {
  return node instanceof ImageNode;
}
