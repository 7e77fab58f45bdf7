// What happens to the GPU device behind the package's back: uncaptured errors, loss, and giving the canvas back.

/**
 * Reports errors no error scope caught and the loss of the device.
 * @param {GPUDevice} device
 * @param {(message: string) => void} onError
 * @param {(reason: string, message: string) => void} onLost
 */
export function watchDevice(device, onError, onLost) {
  device.addEventListener("uncapturederror", (event) => {
    const { error } = /** @type {GPUUncapturedErrorEvent} */ (event);
    onError(error.message);
  });
  device.lost.then((info) => onLost(info.reason, info.message));
}

/**
 * Takes the WebGPU configuration off a canvas, so that it can be used again.
 * @param {HTMLCanvasElement | OffscreenCanvas} canvas
 */
export function unconfigureCanvas(canvas) {
  const context = /** @type {GPUCanvasContext | null} */ (canvas.getContext("webgpu"));
  context?.unconfigure();
}
