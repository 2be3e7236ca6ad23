classdef Nufft < handle
%NUFFT  A non-uniform fast Fourier transform of images.
%   P = SPOKELAB.NUFFT(SIZE) makes a plan for images of SIZE = [Nx], [Nx Ny] or [Nx Ny Nz]. P = SPOKELAB.NUFFT(SIZE,
%   POINTS) sets the points, too: (dims x points), cycles per pixel, -1/2 ... 1/2. The transforms are
%
%       s(j) = sum_n m(n) exp(sign 2 pi i k(:,j)' n),   n(d) = -floor(N(d)/2) ... ceil(N(d)/2)-1
%
%   and its conjugate transpose, which is not scaled.
%
%   P = SPOKELAB.NUFFT(SIZE, POINTS, NAME, VALUE, ...) sets options: 'sign' (-1, as MATLAB's FFT, or +1), 'precision'
%   ('double' or 'single'), 'batch' (images in one call), 'tune' (true: the fastest plan for these points is searched
%   for, or remembered), and all of `spokelab-cli tune --help`: 'accuracy', 'alpha', 'width', 'backend', 'threads' ...
%
%   Methods
%       s = P.forward(m)      samples (points x batch) of images (Nx x Ny x Nz x batch)
%       m = P.adjoint(s)      images of samples
%       m = P.normal(m)       adjoint(weights .* forward(m))
%       P.setPoints(points)   other points
%       P.setWeights(w)       weights of normal; []: ones
%       P.error()             the predicted relative l2 error
%       P.text()              machine, method, alpha, W, kernel; of a tuned plan the reason
%
%   Example
%       k = rand(2, 1000) - 0.5;
%       p = spokelab.Nufft([64 64], k, 'accuracy', 1e-6);
%       s = p.forward(phantom(64));
%
%   See also SPOKELAB.GDFT, SPOKELAB.RECONSTRUCT, SPOKELAB.READ.

  properties (SetAccess = private)
    size       % of the image
    sign = -1  % of the exponent of forward
    batch = 1  % images in one call
  end
  properties (Access = private)
    id = 0
  end

  methods
    function this = Nufft(size, points, varargin)
      if nargin < 2
        points = [];
      end
      [own, rest] = spokelab.internal.splitOptions({'sign', 'precision', 'batch', 'tune'}, varargin);
      single = isfield(own, 'precision') && strcmp(own.precision, 'single');
      if isfield(own, 'sign')
        this.sign = own.sign;
      end
      if isfield(own, 'batch')
        this.batch = own.batch;
      end
      this.size = double(size);
      if isfield(own, 'tune') && own.tune
        this.id = spokelab_mex('tune', this.size, this.sign, single, this.batch, rest, double(points));
      else
        this.id = spokelab_mex('plan', this.size, this.sign, single, this.batch, rest);
        if ~isempty(points)
          this.setPoints(points);
        end
      end
    end

    function setPoints(this, points)
      spokelab_mex('points', this.id, double(points));
    end

    function setWeights(this, weights)
      spokelab_mex('weights', this.id, double(weights));
    end

    function samples = forward(this, image)
      samples = spokelab_mex('forward', this.id, image);
    end

    function image = adjoint(this, samples)
      image = spokelab_mex('adjoint', this.id, samples);
    end

    function image = normal(this, image)
      image = spokelab_mex('normal', this.id, image);
    end

    function value = error(this)
      value = spokelab_mex('error', this.id);
    end

    function line = text(this)
      line = spokelab_mex('text', this.id);
    end

    function delete(this)
      if this.id > 0
        spokelab_mex('destroy', this.id);
        this.id = 0;
      end
    end
  end
end
