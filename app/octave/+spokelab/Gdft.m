classdef Gdft < handle
%GDFT  Exact sums with a field map (and GdftR2).
%   G = SPOKELAB.GDFT(SIZE, POINTS, NAME, VALUE, ...) makes the transform
%
%       s(j) = sum_n m(n) exp(-i (2 pi k(:,j)' r(:,n) + field(n) t(j))) exp(-decay(n) t(j)),   r = n ./ N
%
%   of images of SIZE at POINTS (dims x samples), cycles per field of view (-N/2 ... N/2).
%
%   Options
%       'times'        (samples) seconds after the excitation
%       'field'        (Nx x Ny x Nz) rad/s
%       'decay'        (Nx x Ny x Nz) R2*, 1/s
%       'gradient'     (Nx x Ny x Nz x dims) cycles/s a voxel: each term is multiplied by
%                      prod_d sinc(k(d) / N(d) + gradient(d) t), which makes it GdftR2
%       'coordinates'  (dims x pixels) r of an image that is given as points; maps have a number a pixel
%       'precision'    'double' or 'single'
%       'backend'      'cpu' or 'cuda', and other options of `spokelab-cli reconstruct --help`
%
%   Methods: s = G.forward(m), m = G.adjoint(s).
%
%   Example
%       g = spokelab.Gdft([32 32], k, 'times', t, 'field', 2 * pi * hertz);
%       m = g.adjoint(s);
%
%   See also SPOKELAB.NUFFT, SPOKELAB.RECONSTRUCT.

  properties (SetAccess = private)
    size
  end
  properties (Access = private)
    id = 0
  end

  methods
    function this = Gdft(size, points, varargin)
      maps = {'times', 'field', 'decay', 'gradient', 'coordinates'};
      [own, rest] = spokelab.internal.splitOptions([maps, {'precision'}], varargin);
      values = cell(1, numel(maps));
      for i = 1:numel(maps)
        if isfield(own, maps{i})
          values{i} = double(own.(maps{i}));
        end
      end
      single = isfield(own, 'precision') && strcmp(own.precision, 'single');
      this.size = double(size);
      this.id = spokelab_mex('gdft', this.size, single, double(points), values{:}, rest);
    end

    function samples = forward(this, image)
      samples = spokelab_mex('gdftForward', this.id, image);
    end

    function image = adjoint(this, samples)
      image = spokelab_mex('gdftAdjoint', this.id, samples);
    end

    function delete(this)
      if this.id > 0
        spokelab_mex('destroy', this.id);
        this.id = 0;
      end
    end
  end
end
