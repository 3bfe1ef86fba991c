import type { DomainSignals } from "./schema.ts";

export const mlPipeline: DomainSignals = {
  domain: "ml-pipeline",
  about: "Trains, evaluates or serves machine-learning models.",
  nature: "field",
  definingFiles: "MLproject mlflow.yml dvc.yaml *.safetensors *.onnx *.pt *.pth *.ckpt *.gguf",
  uniqueFiles:
    "train.py finetune.py training.py inference.py pretrain.py model_card.md dvc.lock hyperparameters.yaml train_model.py modelfile",
  frameworks: {
    npm: "@tensorflow/tfjs @tensorflow/tfjs-node onnxruntime-node brain.js @huggingface/transformers",
    pypi: "torch tensorflow keras jax flax pytorch-lightning lightning transformers diffusers xgboost lightgbm catboost fastai sentence-transformers peft trl accelerate deepspeed timm ultralytics mlflow vllm paddlepaddle mxnet detectron2 stable-baselines3 gymnasium torchvision torchaudio optax haiku kedro bentoml ray tensorflow-gpu mlx",
    cargo: "burn candle-core candle-nn tch linfa tract-onnx ort dfdx",
    go: "gorgonia.org/gorgonia github.com/yalue/onnxruntime_go",
    maven: "org.deeplearning4j:* org.tensorflow:* ai.djl:*",
    nuget: "microsoft.ml torchsharp tensorflow.net microsoft.ml.onnxruntime",
    hex: "axon bumblebee nx",
    native: "torch tensorflow onnxruntime ggml cudnn",
    docker:
      "pytorch/pytorch tensorflow/tensorflow nvcr.io/nvidia/pytorch huggingface/transformers-pytorch-gpu",
  },
  helpers: {
    pypi: "scikit-learn wandb datasets tokenizers tensorboard hydra-core optuna tiktoken opencv-python opencv-python-headless albumentations einops huggingface-hub gradio safetensors clearml bitsandbytes",
  },
  extensions: "cu",
  generalExtensions: "ipynb",
  uniqueDirectories: "checkpoints finetune",
  directories: "models data datasets notebooks experiments training configs weights",
  categories: [
    "python:Topic :: Scientific/Engineering :: Artificial Intelligence",
    "cargo:machine-learning",
  ],
  statements: [
    "\\b(?:machine|deep|reinforcement) learning\\b",
    "\\b(?:training|finetuning|fine-tuning) (?:of )?(?:[\\w-]+ ){0,3}(?:models?|gpts?|networks?|llms?)\\b",
    "\\b(?:neural networks?|language models)\\b",
    "\\b(?:object detection|image segmentation|speech recognition|text-to-image|computer vision)\\b",
    "\\b(?:llm|language model) (?:training|inference|serving)\\b",
  ],
  keywords: ["pytorch", "tensorflow", "deep-learning", "machine-learning", "llm", "yolo", "ai"],
};
